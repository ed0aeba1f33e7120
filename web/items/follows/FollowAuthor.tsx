import { useState } from 'react'
import { isFormerMember } from '#contract/former-member.ts'
import type { Lesson } from '#contract/lessons.ts'
import { useSession } from '#web/core/session.ts'
import { FollowButton } from '#web/items/follows/FollowButton.tsx'

export interface FollowAuthorProps {
  readonly item: Pick<Lesson, 'owner' | 'ownerName' | 'following'>
}

export function FollowAuthor({ item: { owner, ownerName, following } }: FollowAuthorProps) {
  const person = useSession()
  const [changed, setChanged] = useState<boolean>()
  const now = changed ?? following
  if (now === undefined || person?.suspended === true || isFormerMember(ownerName)) return null
  return (
    <FollowButton
      person={{ id: owner, userName: ownerName }}
      following={now}
      bare
      onChange={(said) => setChanged(said.following)}
    />
  )
}
