import { Check, Copy } from 'lucide-react'
import { type ComponentProps, useEffect, useState } from 'react'
import { announce } from '../announce.ts'
import { Button } from './button.tsx'

interface Props extends Omit<ComponentProps<typeof Button>, 'onClick' | 'children' | 'pending' | 'onCopy'> {
  /** The text to copy. */
  text: string
  /** Called instead of copying `text`: writes other content to the clipboard. */
  write?: (() => Promise<void>) | undefined
  label?: string
  /** Completes the accessible name: "Copy amount". */
  what?: string
  /** Called after the text was copied, for callers that also show a toast. */
  onCopied?: () => void
}

export function CopyButton({ text, write, label = 'Copy', what, onCopied, variant = 'line', size, ...rest }: Props) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = async () => {
    try {
      await (write ? write() : navigator.clipboard.writeText(text))
    } catch {
      announce('Your browser blocked copying. Please select the text and copy it manually.')
      return
    }
    setCopied(true)
    announce(what ? `${what} copied` : 'Copied!')
    onCopied?.()
  }

  return (
    <Button {...rest} variant={variant} size={size} onClick={copy}>
      {copied ? <Check size={size === 'sm' ? 16 : 18} /> : <Copy size={size === 'sm' ? 16 : 18} />}
      <span>
        {copied ? 'Copied!' : label}
        {what && <span className="sr-only"> {what}</span>}
      </span>
    </Button>
  )
}
