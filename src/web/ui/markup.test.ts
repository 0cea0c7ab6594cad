import { createElement as h, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { ConnectionBadge } from '#features/catalog/web/plans/connection-badge.tsx'
import { PlanCard } from '#features/catalog/web/plans/plan-card.tsx'
import { Price } from '#features/catalog/web/plans/price.tsx'
import { ChannelMark } from '../brand/channel-mark.tsx'
import { HeroWall } from '../brand/hero-wall.tsx'
import { Mascot } from '../brand/mascot.tsx'
import { type Eyes, eyeCount, type Tier } from '../brand/mascot-shapes.ts'
import { MascotShown } from '../brand/mascot-shown.ts'
import { PeekingMascot } from '../brand/peeking-mascot.tsx'
import { TestBars } from '../brand/test-bars.tsx'
import { TierGlyph } from '../brand/tier-glyph.tsx'
import { Badge } from './badge.tsx'
import { Button } from './button/button.tsx'
import { Card } from './card.tsx'
import { EmptyState } from './empty-state.tsx'
import { Checkbox } from './form/checkbox.tsx'
import { Field } from './form/field.tsx'
import { Input } from './form/input.tsx'
import { RadioCards } from './form/radio-cards.tsx'
import { Meter } from './meter.tsx'
import { ProgressSteps } from './progress-steps.tsx'
import { StatusBadge } from './status-badge.tsx'
import { Tabs } from './tabs/tabs.tsx'
import { DateText } from './time/date-text.tsx'

const markup = (element: ReactElement) => renderToStaticMarkup(element)
const count = (text: string, part: string) => text.split(part).length - 1

describe('components rendered on the server', () => {
  const parts: Record<string, ReactElement> = {
    badge: h(Badge, { variant: 'outline', waiting: true }, 'Pending'),
    mascot: h(Mascot, { tier: 4, eyes: 5 }),
    button: h(Button, { pending: true }, 'Save'),
    card: h(Card, { title: 'Title', footer: 'Foot' }, 'Body'),
    'channel mark': h(ChannelMark, { name: 'Cinema One' }),
    checkbox: h(Checkbox, { label: 'News', error: 'No', mixed: true }),
    'empty state': h(EmptyState, { title: 'Nothing' }),
    'hero wall': h(HeroWall),
    meter: h(Meter, { value: 1, max: 3, label: '1 of 3 days used' }),
    'peeking mascot': h(PeekingMascot),
    'plan card': h(PlanCard, {
      tier: 1,
      connections: 2,
      priceCents: 2299,
      period: 'per month',
      features: ['HD'],
      popular: true,
      action: null,
    }),
    'progress steps': h(ProgressSteps, { label: 'Checkout', steps: ['Details', 'Payment'], current: 0 }),
    'radio cards': h(RadioCards, { legend: 'Method', options: [{ value: 'venmo', title: 'Venmo' }], name: 'method' }),
    tabs: h(Tabs, {
      id: 't',
      label: 'Tabs',
      tabs: [{ value: 'a', label: 'A' }],
      value: 'a',
      onChange: () => undefined,
    }),
    'test bars': h(TestBars),
    'tier glyph': h(TierGlyph, { tier: 2 }),
  }
  // The Content-Security-Policy blocks style attributes and inline handlers without an error.
  test.each(Object.entries(parts))('%s has no style attribute and no inline handler', (_, part) => {
    expect(markup(part)).not.toMatch(/\s(style|on[a-z]+)=/)
  })
})

describe('the mascot', () => {
  test.each([1, 2, 3, 4, 5] as Eyes[])('has an eye for each of %d connections', (eyes) => {
    for (const tier of [1, 2, 3, 4] as Tier[])
      expect(count(markup(h(Mascot, { tier, eyes })), 'class="pupil"')).toBe(eyes)
  })
  test('has 1 to 5 eyes for any number of connections', () =>
    expect([eyeCount(0), eyeCount(3), eyeCount(12)]).toEqual([1, 3, 5]))
  test('is nowhere when it is switched off; plans show bars instead', () => {
    const off = (element: ReactElement) => markup(h(MascotShown, { value: false }, element))
    const plan = { connections: 2, priceCents: 100, period: 'per month', features: [], action: null }
    const without = (element: ReactElement) => expect(off(element)).not.toMatch(/class="(mascot|hero-peeker|pupil)/)
    without(h(Mascot, { tier: 1, eyes: 1 }))
    without(h(PeekingMascot))
    without(h(EmptyState))
    without(h(PlanCard, { tier: 3, ...plan }))
    expect(off(h(PlanCard, { tier: 3, ...plan }))).toContain(markup(h(TierGlyph, { tier: 3 })))
  })
  test('is hidden from screen readers', () =>
    expect(markup(h(Mascot, { tier: 1, eyes: 1 }))).toContain('aria-hidden="true"'))
})

describe('the mark of a channel', () => {
  const letters = (name: string) => />([^<]+)<\/text>/.exec(markup(h(ChannelMark, { name })))?.[1]
  test('depends on the name only', () => {
    expect(markup(h(ChannelMark, { name: 'Goal TV' }))).toBe(markup(h(ChannelMark, { name: 'Goal TV' })))
    expect(markup(h(ChannelMark, { name: 'Goal TV' }))).not.toBe(markup(h(ChannelMark, { name: 'News Desk' })))
  })
  test.each([
    ['Cinema One', 'CO'],
    ['Sport 24', 'S24'],
    ['Mystery +', 'M+'],
    ['arte', 'AR'],
    ['Österreich Eins', 'ÖE'],
    ['7', '7'],
  ])('abbreviates %s to %s', (name, short) => expect(letters(name)).toBe(short))
  test.each(['', '   ', '★★★'])('renders for the name "%s"', (name) =>
    expect(markup(h(ChannelMark, { name }))).toContain('<svg'),
  )
})

describe('accessible text', () => {
  test('a pending button is marked as disabled, keeps its label and stays focusable', () => {
    const text = markup(h(Button, { pending: true }, 'Save'))
    expect(text).toContain('aria-disabled="true"')
    expect(text).toContain('Save')
    expect(text).not.toContain(' disabled')
  })
  test('a status has text beside its icon', () => {
    expect(markup(h(StatusBadge, { status: 'reviewing' }))).toMatch(/<svg.*Under Review/)
    expect(markup(h(StatusBadge, { status: 'pending' }))).toContain('badge-outline badge-warn')
  })
  test('a connection badge gets a stronger style with more connections', () => {
    const looks = [1, 2, 3, 4, 5].map(
      (n) => /badge-(\w+)/.exec(markup(h(ConnectionBadge, { count: n })))?.[1] ?? 'neutral',
    )
    expect(looks).toEqual(['outline', 'outline', 'neutral', 'solid', 'solid'])
    expect(markup(h(ConnectionBadge, { count: 1 }))).toContain('1 Connection<')
  })
  test('a screen reader reads a price as one amount', () =>
    expect(markup(h(Price, { cents: 123456 }))).toContain('<span class="sr-only">$1,234.56</span>'))
  test('a date is the same day on the server and in every browser', () => {
    expect(markup(h(DateText, { value: '2026-09-02T23:59:00.000Z' }))).toContain('Sep 2, 2026')
    expect(markup(h(DateText, { value: '2026-09-02T00:01:00.000Z', look: 'long' }))).toContain('September 2, 2026')
    expect(markup(h(DateText, { value: null }))).toContain('-')
  })
  test('a step has a name and a number', () => {
    const text = markup(
      h(ProgressSteps, {
        label: 'Checkout',
        steps: ['Details', 'Payment', 'Confirmation', 'Processing', 'Complete'],
        current: 1,
      }),
    )
    expect(text).toContain('Step 2 of 5')
    expect(text).toContain('value="40"')
    expect(text).toContain('<li aria-current="step"')
  })
  test('a meter stays between 0 and 100 percent', () => {
    expect(markup(h(Meter, { value: 9, max: 3, label: 'x' }))).toContain('width="100.0%"')
    expect(markup(h(Meter, { value: 1, max: 0, label: 'x' }))).toContain('width="0.0%"')
  })
  test('a field connects its label, hint and error with its control', () => {
    const email = {
      id: 'email',
      label: 'Email',
      hint: 'Ours',
      error: 'Please enter a valid email address',
      children: null,
    }
    const text = markup(h(Field, email, h(Input, { type: 'email' })))
    expect(text).toContain('<label for="email"')
    expect(text).toMatch(/<input[^>]*id="email"[^>]*aria-describedby="email-error email-hint"[^>]*aria-invalid="true"/)
    expect(text).toContain('id="email-error"')
  })
})
