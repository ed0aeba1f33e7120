/** Sends from the server to clients, with channels for groups and users. */
import type { Caller, HubClients, HubGroups, Target } from './hub-context.ts'
import type { Members } from './members.ts'

export const groupOf = (name: string): string => `group:${name}`

export const userOf = (id: string): string => `user:${id}`

type Send = (method: string, parameters: readonly unknown[]) => PromiseLike<void>

const targetOf = (send: Send): Target => ({
  send: (method, ...parameters) => send(method, parameters),
})

export function createClients(members: Members): HubClients {
  const channel = (name: string, except?: string | readonly string[]) =>
    targetOf((method, parameters) => members.send(name, method, parameters, except))
  const several = (names: readonly string[]) => {
    const channels = [...new Set(names)]
    return targetOf((method, parameters) => members.sendToSeveral(channels, method, parameters))
  }
  return {
    all: () => targetOf((method, parameters) => members.sendToAll(method, parameters)),
    allExcept: (ids) =>
      targetOf((method, parameters) => members.sendToAll(method, parameters, ids)),
    group: (name) => channel(groupOf(name)),
    groups: (names) => several(names.map(groupOf)),
    groupExcept: (name, ids) => channel(groupOf(name), ids),
    user: (id, except) => channel(userOf(id), except),
    userHere: (id) =>
      targetOf((method, parameters) => members.sendHere(userOf(id), method, parameters)),
    users: (ids) => several(ids.map(userOf)),
    client: (id) => oneClient(members, id),
    clients: (ids) => targetOf((method, parameters) => members.sendTo(ids, method, parameters)),
  }
}

function oneClient(members: Members, id: string): Caller {
  return {
    send: (method, ...parameters) => members.sendTo([id], method, parameters),
    invoke: (method, ...parameters) => members.ask(id, method, parameters, {}),
    invokeWithin: (options, method, ...parameters) => members.ask(id, method, parameters, options),
  }
}

/** Changes group membership from outside a method. */
export function createGroups(members: Members): HubGroups {
  return {
    add: (connectionId, group) => members.group('join', connectionId, group),
    remove: (connectionId, group) => members.group('leave', connectionId, group),
  }
}
