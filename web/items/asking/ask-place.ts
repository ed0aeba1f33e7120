/** The place of the question on a lesson's page; an address that names it leads into the field. */
export const ASK_ID = 'ask'
