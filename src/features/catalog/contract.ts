import * as z from 'zod/mini'
import { get } from '#kit/endpoint.ts'
import { cents, id } from '#kit/text.ts'
import { belowStep, setupDevices, setupTabValues } from './setup-rules.ts'

export const noPlanMessage = 'Please select a plan'
/** The id of the plan chosen in a form. */
export const planId = z.int(noPlanMessage).check(z.gte(1, noPlanMessage), z.lte(2147483647, noPlanMessage))

export const plan = z.object({
  id,
  name: z.string(),
  tier: z.int(),
  months: z.int(),
  connections: z.int(),
  price: cents,
  billing: z.string(),
  features: z.array(z.string()),
  popular: z.boolean(),
})
export type Plan = z.output<typeof plan>

export const channelCategory = z.enum([
  'entertainment',
  'movies',
  'sports',
  'nba_teams',
  'nfl_teams',
  'nhl_teams',
  'soccer',
  'news',
  'kids',
  'international',
])
export type ChannelCategory = z.output<typeof channelCategory>
export const channel = z.object({
  id,
  name: z.string(),
  category: channelCategory,
  logo: z.string(),
  previewUrl: z.nullable(z.string()),
  featured: z.boolean(),
})
export type Channel = z.output<typeof channel>

export const deviceCategory = z.object({ id, name: z.string(), icon: z.string(), devices: z.array(z.string()) })
export type DeviceCategory = z.output<typeof deviceCategory>

export const deviceIcons = ['flame', 'smartphone', 'tablet', 'tv', 'laptop', 'globe', 'router', 'cast'] as const
export type DeviceIcon = (typeof deviceIcons)[number]

export const faq = z.object({ id, question: z.string(), answer: z.string(), order: z.int() })
export type Faq = z.output<typeof faq>

const guideStep = z.object({
  title: z.string(),
  text: z.string(),
  /** A drawing (`stepDrawings`), or the path of an image on this site. */
  picture: z.string(),
  /** What is shown below the text. */
  below: z.enum(Object.keys(belowStep) as (keyof typeof belowStep)[]),
})
export const setupGuide = z.object({
  device: z.enum(setupDevices.map(({ device }) => device)),
  tab: z.enum(setupTabValues),
  /** The app and the downloader code of this device; if empty, those of the settings apply. */
  app: z.string(),
  appUrl: z.string(),
  code: z.string(),
  steps: z.array(guideStep),
})
export type SetupGuide = z.output<typeof setupGuide>

export const listPlans = get('/api/plans', {
  summary: 'Plans on sale',
  access: 'public',
  cacheSeconds: 60,
  output: z.array(plan),
})
export const listChannels = get('/api/channels', {
  summary: 'Channel lineup',
  access: 'public',
  cacheSeconds: 60,
  output: z.array(channel),
})
export const listDeviceCategories = get('/api/device-categories', {
  summary: 'Supported devices',
  access: 'public',
  cacheSeconds: 60,
  output: z.array(deviceCategory),
})
export const listFaqs = get('/api/faqs', {
  summary: 'Frequently asked questions',
  access: 'public',
  cacheSeconds: 60,
  output: z.array(faq),
})
export const listSetupGuides = get('/api/setup-guides', {
  summary: 'The guides of the setup page',
  access: 'public',
  cacheSeconds: 60,
  output: z.array(setupGuide),
})
