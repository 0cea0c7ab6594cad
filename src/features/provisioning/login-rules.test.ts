import { expect, test } from 'vitest'
import { appFields, appKinds } from './login-rules.ts'

const login = { server: 'http://tv.example:8080/', username: 'maya', password: 'a&b/c', xtream: true }

test('an app that asks for a server cannot be set up if none is known, and a Ministra portal has no playlist', () => {
  expect(appKinds({ ...login, server: null })).toEqual(['provider'])
  expect(appKinds({ ...login, xtream: false })).toEqual(['server', 'provider'])
})

test('a hidden password is in no field of any app', () => {
  for (const kind of appKinds(login))
    expect(JSON.stringify(appFields(kind, { ...login, password: null }, 'SauceTV'))).not.toContain('a&b')
})

test('a playlist URL contains the login, encoded', () => {
  expect(appFields('playlist', login, 'SauceTV').map(({ text }) => text)).toEqual([
    'http://tv.example:8080/get.php?username=maya&password=a%26b%2Fc&type=m3u_plus&output=ts',
    'http://tv.example:8080/xmltv.php?username=maya&password=a%26b%2Fc',
  ])
})
