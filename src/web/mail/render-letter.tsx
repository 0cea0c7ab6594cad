import { renderToStaticMarkup } from 'react-dom/server'
import type { Letter } from '#kit/letter.ts'
import { LetterMail } from './letter-mail.tsx'

/** A mail as one HTML document. Whatever stands in the letter is text, never markup. */
export const renderLetter = (letter: Letter): string =>
  `<!doctype html>${renderToStaticMarkup(<LetterMail letter={letter} />)}`
