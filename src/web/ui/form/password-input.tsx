import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Input } from './input.tsx'

export function PasswordInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <span className="input-group">
      <Input spellCheck={false} autoCapitalize="none" {...props} type={shown ? 'text' : 'password'} />
      <button
        type="button"
        className="input-group-end"
        aria-pressed={shown}
        aria-label="Show password"
        onClick={() => setShown(!shown)}
      >
        <Icon size={18} />
      </button>
    </span>
  )
}
