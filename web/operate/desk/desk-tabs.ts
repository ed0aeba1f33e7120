/** The pages of the desk in the order of its navigation. */
import type { MessageKey } from '#contract/messages/messages.ts'
import { to } from '#web/core/paths.ts'
import type { DeskCounts } from '#web/operate/desk/desk-counts.ts'

const GROUPS = [
  {
    name: 'deskOverview',
    tabs: [
      { id: 'numbers', path: to.desk(), name: 'deskNumbers' },
      { id: 'economy', path: to.economy(), name: 'deskEconomy' },
    ],
  },
  {
    name: 'deskPeople',
    tabs: [
      { id: 'people', path: to.people(), name: 'deskPeople' },
      { id: 'invitations', path: to.invitations(), name: 'deskInvitations' },
    ],
  },
  {
    name: 'deskContent',
    tabs: [
      { id: 'comments', path: to.comments(), name: 'deskComments' },
      { id: 'ratings', path: to.ratings(), name: 'ratings' },
      { id: 'flags', path: to.flags(), name: 'deskFlags' },
      { id: 'bugs', path: to.bugs(), name: 'deskBugs' },
      { id: 'appeals', path: to.appeals(), name: 'deskAppeals' },
      { id: 'videos', path: to.videos(), name: 'deskVideos' },
    ],
  },
  {
    name: 'deskOperation',
    tabs: [
      { id: 'mails', path: to.mails(), name: 'deskMails' },
      { id: 'jobs', path: to.jobs(), name: 'deskJobs' },
      { id: 'log', path: to.log(), name: 'deskLog' },
      { id: 'audit', path: to.audit(), name: 'deskAudit' },
      { id: 'backups', path: to.backups(), name: 'deskBackups' },
      { id: 'settings', path: to.settings(), name: 'deskSettings' },
      { id: 'webhooks', path: to.webhooks(), name: 'deskWebhooks' },
    ],
  },
] as const

export type DeskTab = (typeof GROUPS)[number]['tabs'][number]['id']

export interface Tab {
  readonly id: DeskTab
  readonly path: string
  readonly name: MessageKey
}

export const DESK_GROUPS: readonly { readonly name: MessageKey; readonly tabs: readonly Tab[] }[] =
  GROUPS

export const DESK_TABS: readonly Tab[] = DESK_GROUPS.flatMap(({ tabs }) => tabs)

/** How much waits on a page. The counts have the ids of the pages. */
export function waitsOn({ id }: Tab, counts: DeskCounts | null): number {
  if (counts === null || !Object.hasOwn(counts, id)) return 0
  return counts[id as Exclude<keyof DeskCounts, 'version'>]
}

/** The pages on which something waits. */
export function listWaiting(
  counts: DeskCounts | null,
): readonly { readonly tab: Tab; readonly count: number }[] {
  return DESK_TABS.map((tab) => ({ tab, count: waitsOn(tab, counts) })).filter(
    ({ count }) => count > 0,
  )
}
