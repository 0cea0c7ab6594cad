import { Link } from '@tanstack/react-router'

/** The six links of the main navigation (specification 2), in the header and the mobile menu. */
export function NavLinks() {
  return (
    <ul>
      <li>
        <Link to="/" hash="features" activeOptions={{ exact: true, includeHash: true }}>
          Features
        </Link>
      </li>
      <li>
        <Link to="/channels">Channels</Link>
      </li>
      <li>
        <Link to="/pricing">Pricing</Link>
      </li>
      <li>
        <Link to="/devices">Devices</Link>
      </li>
      <li>
        <Link to="/setup">Setup</Link>
      </li>
      <li>
        <Link to="/faq">FAQ</Link>
      </li>
    </ul>
  )
}
