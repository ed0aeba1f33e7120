/**
 * The chat's hub. Clients know its methods and events: `Subscribe`, `SendMessageToGroup`, `ReceiveMessage`. Sender
 * and picture always come from the server, never from the client.
 */
import { MessageText } from '#contract/chat.ts'
import {
  deliverFromHub,
  toMessage,
  type Deliver,
  type HubMessageNeeds,
} from '#server/community/chat/messages.ts'
import { findPersonByName } from '#server/people/accounts/claims.ts'
import { Refusal } from '#server/kernel/errors.ts'
import { toRefusal } from '#server/kernel/http/http-errors.ts'
import { isStorable } from '#server/kernel/text/storable.ts'
import { chooseLocale, translate } from '#server/kernel/text/messages.ts'
import { HubError, type HubClients, type HubContext, type HubDefinition } from '#signalr'

const MOST_NAME = 100

/** Notifies the receiver's connections, and the sender's other connections. */
export function createDeliver(clients: () => HubClients): Deliver {
  return (row, exceptConnection) => {
    const message = toMessage(row)
    const { id, text, senderImage, senderUsername, date } = message
    clients()
      .user(row.receiver_id)
      .send('ReceiveMessage', text, senderImage, { id, senderUsername, date })
    clients().user(row.sender_id, exceptConnection).send('MessageSent', message)
  }
}

export function createChatHub(needs: HubMessageNeeds): HubDefinition {
  return {
    methods: {
      /** A connection is already in its user's group; a request for somebody else's is an error. */
      Subscribe: (context, username) =>
        withHubErrors(context, async () => {
          const id = await findPersonByName(needs.db, textOf(username), needs.clock.now())
          if (id === null || id !== context.user?.id) throw new Refusal(403, 'subscribeForeign')
        }),
      SendMessageToGroup: (context, receiver, text, _senderImage) =>
        withHubErrors(context, async () => {
          const given = MessageText.safeParse(text)
          const senderId = context.user?.id
          if (!given.success || !isStorable(String(text))) throw new Refusal(400, 'invalidInput')
          if (senderId === undefined) throw new Refusal(401, 'unauthorized')
          const letter = { senderId, receiver: textOf(receiver), text: given.data }
          await deliverFromHub(needs, letter, context.connectionId)
        }),
    },
  }
}

/** @throws HubError with the message of a refusal, in the language of the connection */
export async function withHubErrors<Result>(
  context: HubContext,
  verb: () => Promise<Result>,
): Promise<Result> {
  try {
    return await verb()
  } catch (error) {
    const refusal = toRefusal(error)
    if (refusal === null) throw error
    const locale = chooseLocale(null, undefined, context.request.headers['accept-language'])
    throw new HubError(translate(locale, refusal.key, refusal.values))
  }
}

function textOf(value: unknown): string {
  if (typeof value !== 'string' || value.length > MOST_NAME || !isStorable(value))
    throw new Refusal(400, 'invalidInput')
  return value
}
