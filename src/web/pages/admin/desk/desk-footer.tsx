import { Link } from '@tanstack/react-router'
import { appVersion } from '#kit/version.ts'

/** The legal links and the version, on every admin page. */
export function DeskFooter({ brand }: { brand: string }) {
  return (
    <footer className="desk-foot">
      <p>
        © {new Date().getUTCFullYear()} {brand}. All rights reserved.
      </p>
      <ul>
        <li>
          <Link to="/terms">Terms of Service</Link>
        </li>
        <li>
          <Link to="/privacy">Privacy Policy</Link>
        </li>
        <li>
          <Link to="/faq">Help Center</Link>
        </li>
      </ul>
      <p className="num">Version {appVersion}</p>
    </footer>
  )
}
