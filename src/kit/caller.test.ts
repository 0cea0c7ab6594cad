import { expect, it } from 'vitest'
import { ApiError, messageOf } from './caller.ts'

it.each([
  [new ApiError(409, '{"message":"It is paid already.","code":"stale"}'), 'It is paid already.'],
  [new ApiError(502, '<html><h1>502 Bad Gateway</h1></html>'), 'Something went wrong. Please try again.'],
  [new ApiError(504, 'Gateway Timeout'), 'Something went wrong. Please try again.'],
  [new TypeError('Failed to fetch'), 'The connection was lost. Please try again.'],
  [new Error('a bug'), 'Something went wrong. Please try again.'],
])('the message for %s is %s', (error, message) => {
  expect(messageOf(error)).toBe(message)
})
