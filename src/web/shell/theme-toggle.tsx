import { Monitor, Moon, Sun } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { setTheme, type Theme, useTheme } from './theme.ts'

const next: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }

/** Walks system, light, dark. The icon follows the document, not the state, so it is right before hydration. */
export function ThemeToggle({ className }: { className?: string }) {
  const theme = useTheme()
  return (
    <Button
      variant="ghost"
      icon
      className={className}
      aria-label={`Colour theme: ${theme}. Switch to ${next[theme]}`}
      onClick={() => setTheme(next[theme])}
    >
      <Monitor size={20} className="when-system" />
      <Sun size={20} className="when-light" />
      <Moon size={20} className="when-dark" />
    </Button>
  )
}
