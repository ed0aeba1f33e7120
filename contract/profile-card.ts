/** In its own file, because profiles.ts imports lessons and courses. */
import * as z from 'zod/mini'
import { ImagePath } from '#contract/fields.ts'

export const ProfileCard = z.object({
  id: z.string(),
  userName: z.string(),
  imageUrl: ImagePath,
})
export type ProfileCard = z.infer<typeof ProfileCard>
