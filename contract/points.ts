/** The calls of points; what judges them stands in points.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { PointsSchemas } from '#contract/points.schemas.ts'

export const points = calls<PointsSchemas>()({
  show: { methods: ['GET'], path: '/identity/points', access: 'user', scope: 'read' },
})
