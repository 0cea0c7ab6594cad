-- Roles of the staff besides the owner. A role with a key is built in: its permissions are in src/kit/permissions.ts.
CREATE TABLE staff_roles (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text UNIQUE CHECK (length(key) BETWEEN 1 AND 40),
  name text NOT NULL CHECK (length(name) BETWEEN 2 AND 40),
  description text NOT NULL DEFAULT '' CHECK (length(description) <= 200),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX staff_roles_name ON staff_roles (lower(name));
INSERT INTO staff_roles (key, name, description) VALUES
  ('support', 'Support', 'Helps customers. Sees no payments and changes no settings.'),
  ('cashier', 'Cashier', 'Works on payments, invoices and refunds.'),
  ('catalog_editor', 'Catalog editor', 'Edits plans, channels, questions, setup guides and the program guide.'),
  ('read_only', 'Read-only', 'Sees everything except staff, and changes nothing.');

-- The permissions of the other roles.
CREATE TABLE staff_role_permissions (
  role_id integer NOT NULL REFERENCES staff_roles (id) ON DELETE CASCADE,
  permission text NOT NULL CHECK (permission ~ '^[a-z_]{1,30}\.[a-z_]{1,30}$'),
  PRIMARY KEY (role_id, permission)
);

-- An administrator without a staff role is an owner. A role of a member cannot be deleted: that would make them an owner.
ALTER TABLE users ADD COLUMN staff_role_id integer REFERENCES staff_roles (id) ON DELETE RESTRICT;
ALTER TABLE users ADD CONSTRAINT users_staff_role_check CHECK (staff_role_id IS NULL OR role = 'admin');
CREATE INDEX users_staff_role ON users (staff_role_id) WHERE staff_role_id IS NOT NULL;

-- What a role may do and who has it needs a second administrator too (SELF_APPROVAL=deny).
ALTER TABLE admin_requests DROP CONSTRAINT admin_requests_action_check;
ALTER TABLE admin_requests ADD CONSTRAINT admin_requests_action_check
  CHECK (action IN ('promote', 'payments', 'mail_server', 'reveal_mail', 'payment', 'staff_role'));
