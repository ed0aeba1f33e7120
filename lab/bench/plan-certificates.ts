/** Certificates in the walk through the product: taken, shown, verified, withdrawn, revoked. */
import type { Stage } from './plan-stage.ts'

const [OWNER, OTHER, ADMINISTRATOR] = [5, 6, 11]

/** The life of certificates of a course that both have unlocked. */
export async function certify(
  { tell }: Stage,
  course: number,
  lessons: readonly number[],
): Promise<void> {
  const take = async (person: number) => {
    const named = { name: 'Somebody of the walk' }
    return String((await tell(person, `POST /api/certificate/${course}`, named)).body['code'])
  }
  await tell(OWNER, `POST /api/certificate/${course}`, { name: 'Too early' }, 409)
  for (const person of [OWNER, OTHER])
    for (const id of lessons) await tell(person, `PUT /api/progress/${id}`, { done: true })
  const [own, other] = [await take(OWNER), await take(OTHER)]
  await take(OWNER)
  await tell(OWNER, `GET /api/certificate/course/${course}`)
  await tell(OWNER, 'GET /api/certificate/yours')
  await tell(null, `GET /api/certificate/${own}`)
  await tell(OWNER, `PUT /api/certificate/${own}`, { listed: true })
  await tell(null, `GET /credentials/${own}.jwt`)
  await tell(null, 'GET /credentials/status-0.jwt')
  await tell(null, 'GET /.well-known/did.json')
  await tell(OWNER, `DELETE /api/certificate/${own}`)
  await tell(ADMINISTRATOR, `DELETE /api/certificate/${other}?reason=Not+their+own+work`)
}
