import { describe, expect, test } from 'vitest'
import { deviceName, deviceOf } from './device.ts'

const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'
const samsung =
  'Mozilla/5.0 (Linux; Android 13; SM-S901B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36'
const television =
  'Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) 76.0.3809.146/6.0 TV Safari/537.36'

describe('a device name', () => {
  test.each([
    ['evil.example/1 (please call 555 0100) now', 'An unknown device'],
    ['visit-evil.example', 'An unknown device'],
    ['curl/8.5.0', 'An unknown device'],
    [' ', 'An unknown device'],
    ['', 'An unknown device'],
  ])('never contains text of an unknown user agent: %s', (userAgent, name) => expect(deviceName(userAgent)).toBe(name))

  test('stays the same when its browser is updated', () =>
    expect(deviceName(chrome.replace('141', '142'))).toBe(deviceName(chrome)))

  test.each([
    [safari, 'Safari on iPhone'],
    [chrome, 'Chrome on Windows'],
    [chrome.replace('Safari/537.36', 'Safari/537.36 Edg/141.0.0.0'), 'Microsoft Edge on Windows'],
    [samsung, 'Samsung Internet on Android'],
    [television, 'Tizen'],
  ])('is the common name of browser and system: %s', (userAgent, name) => expect(deviceName(userAgent)).toBe(name))
})

test('a visitor’s device has a version and a type; a program has the name it sends', () => {
  expect(deviceOf(chrome)).toEqual({ browser: 'Chrome 141', system: 'Windows', type: 'desktop' })
  expect(deviceOf(television)).toMatchObject({ system: 'Tizen', type: 'tv' })
  expect(deviceOf('curl/8.5.0')).toEqual({ browser: 'curl 8', system: null, type: 'other' })
  expect(deviceOf('')).toEqual({ browser: null, system: null, type: 'other' })
})
