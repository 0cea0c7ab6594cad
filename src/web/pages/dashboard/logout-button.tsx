import { LogOut } from 'lucide-react'
import { useLogout } from '../../shell/site-layout.tsx'
import { Button } from '../../ui/button/button.tsx'

export function LogoutButton() {
  const { onLogout, loggingOut } = useLogout()
  return (
    <Button variant="line" pending={loggingOut} onClick={onLogout}>
      <LogOut size={18} />
      Logout
    </Button>
  )
}
