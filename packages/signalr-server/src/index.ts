/** What the package offers; all else of it may change in any version. */
export { createLocalBackplane, type Backplane } from './backplane/backplane.ts'
export type { Admission, Wait } from './connections/admission.ts'
export {
  createConnectionServer,
  createNodeName,
  subpathOf,
  type ConnectionServer,
  type ConnectionServerOptions,
} from './connections/connection-server.ts'
export type { Application, Connection, HubUser, RequestFacts } from './connections/connection.ts'
export type { Authenticate, HubEndpoint } from './connections/endpoint.ts'
export type { RefusedInWords } from './connections/refusals.ts'
export type { Around } from './dispatcher.ts'
export {
  createHubServer,
  type HubClients,
  type HubServer,
  type HubServerOptions,
} from './hub-server.ts'
export {
  HubError,
  type Caller,
  type HubContext,
  type HubDefinition,
  type HubMethod,
  type HubStream,
  type Target,
  type UploadMethod,
} from './hub.ts'
export { DEFAULT_LIMITS, type Limits } from './limits.ts'
export type { Spared } from './members.ts'
export type { TransportName } from './transports/transport.ts'
