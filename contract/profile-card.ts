/** A person as others name them. Apart, because what only names a person needs nothing else of profiles. */
import * as z from 'zod/mini'
import { ImagePath } from '#contract/fields.ts'

export const ProfileCard = z.object({
  id: z.string(),
  userName: z.string(),
  imageUrl: ImagePath,
})
export type ProfileCard = z.infer<typeof ProfileCard>
