import type { IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf, normalizeForwarded } from '#server/kernel/http/address.ts'
import { networkOf } from '#server/kernel/network.ts'

const asking = (forwarded?: string) =>
  ({
    headers: { ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) },
    socket: { remoteAddress: '10.0.0.1' },
  }) as unknown as IncomingMessage

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::', '0:0:0:0'],
  ['::1', '0:0:0:0'],
  ['4711', '4711'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test.each([
  ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:50123', '203.0.113.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:50123', '2001:db8::1'],
  // The proxy's own address counts instead of a malformed one.
  ['unknown', '10.0.0.1'],
  ['_hidden', '10.0.0.1'],
  ['203.0.113.7:port', '10.0.0.1'],
  ['[203.0.113.7]:80', '10.0.0.1'],
  ['203.0.113.999', '10.0.0.1'],
  ['"203.0.113.7"', '10.0.0.1'],
  [', ,', '10.0.0.1'],
  ['', '10.0.0.1'],
])('behind a proxy %j comes from %s', (forwarded, address) => {
  expect(addressOf(asking(forwarded), 1)).toBe(address)
})

test('behind two proxies a malformed entry counts as the address of the proxy that added it', () => {
  expect(addressOf(asking('198.51.100.1, who, 192.0.2.1:9'), 2)).toBe('192.0.2.1')
  expect(addressOf(asking('198.51.100.1, 203.0.113.7:1, 192.0.2.1:9'), 2)).toBe('203.0.113.7')
})

test('the framework reads the same address from a corrected header', () => {
  const entry = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.tuple(fc.ipV4(), fc.nat(70_000)).map(([ip, port]) => `${ip}:${port}`),
    fc.ipV6().map((ip) => `[${ip}]:443`),
    fc.string(),
  )
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 4 }),
      fc.integer({ min: 0, max: 3 }),
      (given, proxies) => {
        const request = asking(given.join(','))
        const before = addressOf(request, proxies)
        normalizeForwarded(request)
        const chain = String(request.headers['x-forwarded-for'] ?? '')
          .split(', ')
          .filter(Boolean)
        const list = ['10.0.0.1', ...chain.toReversed()]
        expect(list[Math.min(proxies, list.length - 1)]).toBe(before)
      },
    ),
  )
})
