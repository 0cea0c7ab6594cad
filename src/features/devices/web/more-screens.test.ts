import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { createElement as h } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MoreScreens } from './more-screens.tsx'

function textOf(screens: number): string {
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
  const html = renderToStaticMarkup(h(RouterContextProvider, { router } as never, h(MoreScreens, { screens })))
  return html
    .replaceAll(/<svg[\s\S]*?<\/svg>|<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

test('a customer with a plan is offered the next screen, and one without a plan is offered plans', () => {
  expect(textOf(3)).toBe(
    'Need a fourth? A plan with more connections plays on more screens. You pay only for the days that are left. Change Plan',
  )
  expect(textOf(20)).toMatch(/^Need another screen\? .* Change Plan$/)
  expect(textOf(0)).toBe('Choose a plan Its connections are the screens that can play at the same time. See All Plans')
})
