import { WHY, type PersonalData } from '#server/platform/core/personal.ts'
import { forgetFigures } from '#server/items/figures/counting.ts'

export const personal: PersonalData = {
  erase: ({ db }, userId) => forgetFigures(db, userId),
  notExported: {
    'author_days.owner_id': WHY.workings,
    'item_days.owner_id': WHY.workings,
    'item_months.owner_id': WHY.workings,
    'lesson_curves.owner_id': WHY.workings,
  },
}
