import { expect, test } from 'vitest'
import { directHost, directOutcomes, directOutcomeText, directProblems, directProblemText } from '../../direct-rules.ts'

test.each([
  ['edge.example', 'edge.example'],
  [' EDGE.example ', 'edge.example'],
  ['edge.example:443', 'edge.example'],
  ['edge.example:8443', 'edge.example:8443'],
  ['203.0.113.7', '203.0.113.7'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ...[
    '',
    'https://edge.example',
    'edge.example/',
    'edge.example/path',
    'edge.example?x',
    'user@edge.example',
    '*.edge.example',
    'a b',
    'edge..example',
    'edge.example:99999',
    "edge.example'",
    'edge.example;',
    '[::1]',
  ].map((text): [string, undefined] => [text, undefined]),
])('the input %j is read as the host %j', (text, host) => {
  expect(directHost(text)).toBe(host)
})

test('each problem and each outcome has its own text', () => {
  const problems = directProblems.map((code) => directProblemText({ code, host: 'edge.example' }, 'https://tv.example'))
  const outcomes = [null, ...directOutcomes].map(directOutcomeText)
  expect(new Set(problems).size).toBe(directProblems.length)
  expect(new Set(outcomes).size).toBe(directOutcomes.length + 1)
})
