/** Links that invite people. */
import * as z from 'zod/mini'
import { InvitationState } from '#contract/door.ts'
import { endpoints } from '#contract/endpoint.ts'
import { Id, Instant, Nothing, Page } from '#contract/fields.ts'
import { INVITATION_DAYS, INVITATION_USES, type Range } from '#contract/limits.ts'
import { message } from '#contract/message.ts'
import { ProfileCard } from '#contract/profile-card.ts'

function whole({ min, max }: Range) {
  const error = message('invitationNumberMs', { min, max })
  return z.union(
    [
      z.int().check(z.minimum(min), z.maximum(max)),
      z.pipe(
        z.string().check(
          z.regex(/^\d{1,4}$/),
          z.refine((text) => Number(text) >= min && Number(text) <= max),
        ),
        z.transform(Number),
      ),
    ],
    { error },
  )
}

export const InvitationDraft = z.object({
  uses: whole(INVITATION_USES),
  days: whole(INVITATION_DAYS),
})

export const Invitation = z.object({
  id: z.number(),
  inviter: ProfileCard,
  uses: z.number(),
  /** The first 100 who came. */
  came: z.array(ProfileCard),
  used: z.number(),
  createdAt: Instant,
  expiresAt: Instant,
  state: InvitationState,
})
export type Invitation = z.infer<typeof Invitation>

export const invitations = endpoints({
  create: {
    methods: ['POST'],
    path: '/admin/invitation/create',
    access: 'administrator',
    scope: 'admin',
    input: InvitationDraft,
    answer: z.object({ link: z.string() }),
    summary: 'Make a link by which `uses` people may register within `days`; it is shown only once',
  },
  all: {
    methods: ['GET'],
    path: '/admin/invitation/all',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ page: z.optional(Page) }),
    answer: z.array(Invitation),
    summary: 'Invitations, newest first: who made them, and who came; 50 a page',
  },
  remove: {
    methods: ['DELETE'],
    path: '/admin/invitation/{id}',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ id: Id }),
    answer: null,
    summary: 'Withdraw an invitation: nobody can register by it any more',
  },
  createOwn: {
    methods: ['POST'],
    path: '/invitation/create',
    access: 'user',
    scope: null,
    input: Nothing,
    answer: z.object({ link: z.string() }),
    summary:
      'Make a link by which one person may register within a week, where everybody may invite',
  },
})
