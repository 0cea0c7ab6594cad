import { expect, test } from 'vitest'
import { topics } from '#kit/topics.ts'
import { endpoints } from '#server/app.ts'

test('only endpoints that read depend on topics', () => {
  expect(endpoints.filter(({ method, dependsOn }) => dependsOn && method !== 'GET')).toEqual([])
})

test('at least one endpoint depends on each topic', () => {
  const used = new Set(endpoints.flatMap(({ dependsOn = [] }) => dependsOn))
  expect(topics.filter((topic) => !used.has(topic))).toEqual([])
})
