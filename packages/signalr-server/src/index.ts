/** The public interface of the package. Everything else may change in any version. */
export { createLocalBackplane, type Backplane } from './backplane/backplane.ts'
export type { OrderCodec } from './backplane/orders.ts'
export type { StandardSchema } from './calls/standard-schema.ts'
export type { Admission, Stay, Wait } from './connections/admission.ts'
export {
  createConnectionServer,
  createNodeName,
  subpathOf,
  type ConnectionServer,
  type ConnectionServerOptions,
} from './connections/connection-server.ts'
export type { Application, Connection, HubUser } from './connections/connection.ts'
export type { RequestFacts } from './connections/request-facts.ts'
export type { Origins } from './connections/cors.ts'
export type { Authenticate, HubEndpoint } from './connections/endpoint.ts'
export type { RefusedInWords } from './connections/refusals.ts'
export type { Spared } from './ending.ts'
export type { HubFilter } from './filters.ts'
export {
  createHubServer,
  type HubLoad,
  type HubServer,
  type HubServerOptions,
} from './hub-server.ts'
export type {
  Caller,
  HubClients,
  HubContext,
  HubGroups,
  InvokeOptions,
  Target,
} from './hub-context.ts'
export {
  HubError,
  type CallOptions,
  type HubCall,
  type HubDefinition,
  type HubMethod,
  type HubStream,
  type MethodOptions,
  type Policy,
  type StreamOptions,
} from './hub.ts'
export { DEFAULT_LIMITS, type Limits } from './limits.ts'
export { jsonProtocol } from './protocol/json-protocol.ts'
export { ProtocolError, type HubMessage, type HubProtocol } from './protocol/messages.ts'
export {
  DroppedError,
  type CallTold,
  type ConnectionTold,
  type DropReason,
  type EndTold,
  type HubObserver,
} from './signals.ts'
export type { AnySide } from './signatures.ts'
export type { TransportName } from './transports/transport.ts'
