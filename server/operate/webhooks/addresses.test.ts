import { expect, test } from 'vitest'
import { createAddressRule } from '#server/operate/webhooks/addresses.ts'

const maySend = createAddressRule([])

test.each([
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  'fc00::1',
  'fd12:3456:789a::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  'localhost',
  '',
  '127.1',
])('%s is blocked', (address) => {
  expect(maySend(address)).toBe(false)
})

test.each([
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.1',
  '172.32.0.1',
  '1.1.1.1',
  '2606:4700::1111',
  '2a00:1450::1',
])('%s is allowed', (address) => {
  expect(maySend(address)).toBe(true)
})

test('only explicitly allowed private addresses and ranges are allowed', () => {
  const allowing = createAddressRule(['127.0.0.2', '10.1.0.0/16', 'fd00::/16', '::1'])
  for (const address of ['127.0.0.2', '10.1.255.1', 'fd00::5', '::1'])
    expect(allowing(address)).toBe(true)
  for (const address of ['127.0.0.1', '10.2.0.1', 'fd01::5', '::2', '169.254.169.254'])
    expect(allowing(address)).toBe(false)
})
