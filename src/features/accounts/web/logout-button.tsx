import { LogOut } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { useLogout } from './use-logout.ts'

export function LogoutButton() {
  const { logout, pending } = useLogout()
  return (
    <Button variant="line" pending={pending} onClick={logout}>
      <LogOut size={18} />
      Logout
    </Button>
  )
}
