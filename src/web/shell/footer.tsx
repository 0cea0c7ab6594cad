import { Link } from '@tanstack/react-router'
import { Mail } from 'lucide-react'
import { type Brand, Logo } from '../brand/logo.tsx'
import { TestBars } from '../brand/test-bars.tsx'
import { NavLinks } from './nav-links.tsx'
import { SocialIcon } from './social-icon.tsx'

interface Props {
  brand: Brand
  /** The names of the payment methods, shown without logos. */
  paymentMarks: readonly string[]
}

export function Footer({ brand, paymentMarks }: Props) {
  return (
    <footer className="foot stage">
      <TestBars />
      <div className="wrap">
        <div className="foot-grid">
          <div className="foot-brand">
            <Logo brand={brand} />
            <p>Live TV, movies and sports on every screen.</p>
            <a href={`mailto:${brand.contactEmail}`} className="foot-mail">
              <Mail size={18} />
              {brand.contactEmail}
            </a>
            {brand.socials.length > 0 && (
              <ul className="foot-chips" aria-label="Follow us">
                {brand.socials.map((social) => (
                  <li key={social.url}>
                    <a
                      href={social.url}
                      target="_blank"
                      rel="noopener noreferrer"
                      aria-label={social.label}
                      title={social.label}
                    >
                      <SocialIcon url={social.url} />
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </div>
          <nav aria-labelledby="foot-quick">
            <h2 id="foot-quick">Quick Links</h2>
            <NavLinks />
          </nav>
          <nav aria-labelledby="foot-support">
            <h2 id="foot-support">Support</h2>
            <ul>
              <li>
                <Link to="/faq">Help Center</Link>
              </li>
              <li>
                <Link to="/contact">Contact Us</Link>
              </li>
              <li>
                <Link to="/setup">Setup Guides</Link>
              </li>
              <li>
                <Link to="/dashboard">Account</Link>
              </li>
              <li>
                <Link to="/invoices">Billing</Link>
              </li>
            </ul>
          </nav>
          <nav aria-labelledby="foot-legal">
            <h2 id="foot-legal">Legal</h2>
            <ul>
              <li>
                <Link to="/terms">Terms of Service</Link>
              </li>
              <li>
                <Link to="/privacy">Privacy Policy</Link>
              </li>
              <li>
                <Link to="/refund-policy">Refund Policy</Link>
              </li>
              <li>
                <Link to="/cookies">Cookie Policy</Link>
              </li>
              <li>
                <Link to="/dmca">DMCA</Link>
              </li>
            </ul>
          </nav>
        </div>
        <div className="foot-end">
          <p>
            © {new Date().getUTCFullYear()} {brand.name}. All rights reserved.{' '}
            <Link to="/status" className="link">
              Service Status
            </Link>
          </p>
          {paymentMarks.length > 0 && (
            <ul className="foot-chips" aria-label="Payment methods">
              {paymentMarks.map((mark) => (
                <li key={mark}>
                  <span>{mark}</span>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </footer>
  )
}
