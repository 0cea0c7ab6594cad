import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { createElement as h } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { type LargerPlan, largerPlan } from '../rules.ts'
import { MoreScreens } from './more-screens.tsx'

function textOf(screens: number, larger?: LargerPlan): string {
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
  const html = renderToStaticMarkup(h(RouterContextProvider, { router } as never, h(MoreScreens, { screens, larger })))
  return html
    .replaceAll(/<svg[\s\S]*?<\/svg>|<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

test('a customer with a plan is offered one more screen, and a customer without a plan is offered all plans', () => {
  expect(textOf(3)).toBe(
    'Need a fourth? A plan with more connections plays on more screens. You pay only for the days that are left. Change Plan',
  )
  expect(textOf(20)).toMatch(/^Need another screen\? .* Change Plan$/)
  expect(textOf(0)).toBe(
    'Choose a plan The number of connections is the number of screens that can play at the same time. See All Plans',
  )
})

test('the offer names the price difference to the larger plan for the same number of months', () => {
  expect(textOf(3, { connections: 4, months: 6, difference: 3_000 })).toBe(
    'Need a fourth? 4 connections cost $30.00 more for 6 months. You pay only for the days that are left. Change Plan',
  )
  expect(textOf(1, { connections: 2, months: 1, difference: 499 })).toContain('cost $4.99 more for 1 month.')
})

const offer = (months: number, connections: number, price: number) => ({ months, connections, price })
test.each([
  [
    'the cheapest one with the next number of connections',
    [offer(6, 5, 9_000), offer(6, 4, 8_000), offer(6, 2, 5_000)],
    2_000,
  ],
  ['no plan for another number of months', [offer(3, 4, 8_000), offer(12, 4, 8_000)], undefined],
  ['no plan that costs the same or less', [offer(6, 4, 6_000), offer(6, 5, 9_000)], undefined],
  ['nothing for the largest plan', [offer(6, 3, 6_000)], undefined],
])('the larger plan is %s', (_, plans, difference) => {
  expect(largerPlan(plans, offer(6, 3, 6_000))).toEqual(difference && { months: 6, connections: 4, difference })
})
