/** The id of the question's field. An address that ends in it puts the focus there. */
export const ASK_ID = 'ask'
