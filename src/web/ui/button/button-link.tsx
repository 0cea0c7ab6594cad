import { createLink } from '@tanstack/react-router'
import { ButtonAnchor } from './button-anchor.tsx'

/** A router link that looks like a button: takes `to`, `params`, `search`, `hash` and the look of a Button. */
export const ButtonLink = createLink(ButtonAnchor)
