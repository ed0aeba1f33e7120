/** Tests the types of a hub. The compiler checks the wrong uses in this file. */
import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { Caller, HubClients, HubContext, HubDefinition, HubServer } from '../src/index.ts'
import { createHubServer } from '../src/index.ts'
import type { NameOf, ParametersOf } from '../src/signatures.ts'

interface Server {
  Say(room: string, text: string): void
  Sum(start: number, numbers: AsyncIterable<number>): Promise<number>
  Count(to: number): AsyncIterable<number>
  Shout(mark: string, words: AsyncIterable<string>): AsyncIterable<string>
}

interface Client {
  Said(name: string, text: string): void
  Answer(question: string): number
}

type Definition = HubDefinition<Server, Client>

const definition: Definition = {
  methods: {
    Say: {
      arguments: [z.string(), z.string().max(100)],
      run: (context, room, text) => {
        expectTypeOf(context).toEqualTypeOf<HubContext<Client>>()
        expectTypeOf(room).toEqualTypeOf<string>()
        void context.clients.group(room).send('Said', 'ann', text)
      },
    },
    Sum: {
      uploads: 1,
      run: async (_context, start, numbers) => {
        expectTypeOf(numbers).toEqualTypeOf<AsyncIterable<number>>()
        let sum = start
        for await (const number of numbers) sum += number
        return sum
      },
    },
  },
  streams: {
    Count: (_context, to) => Array.from({ length: to }, (_, n) => n),
    Shout: {
      uploads: 1,
      run: async function* (_context, mark, words) {
        for await (const word of words) yield word + mark
      },
    },
  },
}

test('a typed hub must define what its types name', async () => {
  const hub = createHubServer<Server, Client>({ secret: 'x', definition })
  expectTypeOf(hub).toEqualTypeOf<HubServer<Client>>()
  expectTypeOf(hub.clients).toEqualTypeOf<HubClients<Client>>()
  await hub.close()
})

test('methods, their arguments and results have the server’s types', () => {
  type Methods = Definition['methods']
  expectTypeOf<keyof Methods>().toEqualTypeOf<'Say' | 'Sum'>()
  expectTypeOf<keyof Definition['streams']>().toEqualTypeOf<'Count' | 'Shout'>()
  expectTypeOf<(context: HubContext<Client>, room: string, text: string) => void>().toExtend<
    Methods['Say']
  >()
  expectTypeOf<(context: HubContext<Client>, room: number) => void>().not.toExtend<Methods['Say']>()
  // Without the number of uploads it is unknown which arguments are sent.
  expectTypeOf<() => Promise<number>>().not.toExtend<Methods['Sum']>()
  expectTypeOf<{ run: () => Promise<number>; uploads: 1 }>().toExtend<Methods['Sum']>()
  expectTypeOf<{ run: () => Promise<number>; uploads: 2 }>().not.toExtend<Methods['Sum']>()
  expectTypeOf<{ run: () => Promise<string>; uploads: 1 }>().not.toExtend<Methods['Sum']>()
  expectTypeOf<() => string[]>().not.toExtend<Definition['streams']['Count']>()
})

test('messages and calls to clients have the client’s types', () => {
  expectTypeOf<NameOf<Client>>().toEqualTypeOf<'Said' | 'Answer'>()
  expectTypeOf<ParametersOf<Client, 'Said'>>().toEqualTypeOf<[name: string, text: string]>()
  const ask = (caller: Caller<Client>) => caller.invoke('Answer', 'why')
  expectTypeOf(ask).returns.toEqualTypeOf<Promise<number>>()
  const say = (clients: HubClients<Client>) => clients.groups(['a']).send('Said', 'ann', 'hi')
  expectTypeOf(say).returns.toEqualTypeOf<PromiseLike<void>>()
})

test('without types any name and value is allowed', () => {
  const untyped: HubDefinition = {
    methods: { Any: (context, one, two) => context.caller.send('Thing', one, two) },
    streams: { Some: () => [1] },
  }
  expectTypeOf<HubClients['all']>().returns.toExtend<{ send: (name: string) => unknown }>()
  expectTypeOf<Caller['invoke']>().returns.toEqualTypeOf<Promise<unknown>>()
  expect(Object.keys(untyped.methods)).toEqual(['Any'])
})
