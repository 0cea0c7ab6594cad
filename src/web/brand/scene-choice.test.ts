import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { palettes, sceneOf, scenes } from './scene-choice.ts'

const sceneIn = (category: string, title: string, detail = '') => sceneOf({ title, detail, category }).scene

test('words in the title or the second line determine the scene, unless the category has only one kind of program', () => {
  expect(sceneIn('entertainment', 'Storm Watch')).toBe('weather')
  expect(sceneIn('sports', 'Night Final', 'Basketball')).toBe('court')
  expect(sceneIn('entertainment', 'The Chef’s Table')).toBe('kitchen')
  expect(sceneIn('soccer', 'Late Night News')).toBe('pitch')
  expect(sceneIn('nba_teams', 'The Long Road')).toBe('court')
  expect(sceneIn('entertainment', 'Seasons of Starlings'), 'not a sea').not.toBe('ocean')
})

test('without such words, the category determines the scene, and a title always gets the same picture', () => {
  const titles = Array.from({ length: 40 }, (_, index) => `Evening ${index}`)
  for (const category of ['movies', 'kids', 'international', 'sports', 'news', 'entertainment', 'unknown'])
    for (const title of titles) expect(sceneOf({ title, category })).toEqual(sceneOf({ title, category }))
  expect(new Set(titles.map((title) => sceneIn('kids', title)))).toEqual(
    new Set(['rocket', 'flask', 'teapot', 'puddle', 'truck']),
  )
  expect(new Set(titles.map((title) => sceneOf({ title, category: 'movies' }).palette)).size).toBeGreaterThan(6)
})

test('scenes.svg has every scene, and scenes.css has the colors of every palette', () => {
  const drawn = readFileSync(new URL('./scenes.svg', import.meta.url), 'utf8')
  expect(Array.from(drawn.matchAll(/<symbol id="(\w+)"/g), ([, id]) => id).sort()).toEqual([...scenes])
  const styles = readFileSync(new URL('./scenes.css', import.meta.url), 'utf8')
  for (const palette of palettes) expect(styles).toContain(`.scene-${palette} {`)
})
