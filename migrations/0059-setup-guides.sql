-- The guides of the setup page, one for each device. A hidden guide is one that is not offered: its tab says "coming soon".
CREATE TABLE setup_guides (
  id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  device text NOT NULL CONSTRAINT setup_guides_device_key UNIQUE
    CHECK (device IN ('firestick', 'android-tv', 'android-phone', 'apple', 'samsung', 'lg', 'web')),
  -- Empty: the app and the downloader code of the settings
  app text NOT NULL DEFAULT '' CHECK (length(app) <= 120),
  app_url text NOT NULL DEFAULT '' CHECK (length(app_url) <= 500),
  code text NOT NULL DEFAULT '' CHECK (length(code) <= 40),
  -- [{"title", "text", "picture", "below"}]
  steps jsonb NOT NULL CHECK (jsonb_typeof(steps) = 'array' AND jsonb_array_length(steps) BETWEEN 1 AND 12),
  position integer NOT NULL DEFAULT 0,
  hidden boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1
);

INSERT INTO setup_guides (device, position, hidden, steps)
SELECT device, row_number() OVER (), device <> 'firestick',
  install || '[
    {"title": "Select the provider", "text": "Start the app and choose {provider} from the list of providers.", "picture": "provider", "below": "nothing"},
    {"title": "Enter your credentials", "text": "Type the IPTV username and password from your account, with the exact capitalization shown there.", "picture": "login", "below": "login"},
    {"title": "Click Next, then Done", "text": "The app loads channels, movies and shows. The first time takes a minute or two.", "picture": "done", "below": "nothing"}
  ]'::jsonb
FROM (VALUES
  ('firestick', '[{"title": "Install {app}", "text": "Open the Downloader app from the app store of your Firestick and enter the code {code}. Confirm that you want to install the app.", "picture": "downloader", "below": "code"}]'::jsonb),
  ('android-tv', '[{"title": "Install {app}", "text": "Open the app store on your TV or box, search for {app} and install it.", "picture": "store", "below": "app"}]'),
  ('android-phone', '[{"title": "Install {app}", "text": "Open the app store on your phone or tablet, search for {app} and install it.", "picture": "store", "below": "app"}]'),
  ('apple', '[{"title": "Install {app}", "text": "Open the App Store, search for {app} and install it.", "picture": "store", "below": "app"}]'),
  ('samsung', '[{"title": "Install {app}", "text": "Press Home on the remote, open Apps and search for {app}. Choose Install, then Open.", "picture": "store", "below": "nothing"}]'),
  ('lg', '[{"title": "Install {app}", "text": "Press Home on the remote, open the LG Content Store and search for {app}. Choose Install, then Launch.", "picture": "store", "below": "nothing"}]')
) AS guides (device, install);

INSERT INTO setup_guides (device, position, hidden, steps) VALUES ('web', 7, true, '[
  {"title": "Open the web player", "text": "Use a current version of Chrome, Edge, Firefox or Safari. There is nothing to install.", "picture": "browser", "below": "app"},
  {"title": "Enter your credentials", "text": "Type the IPTV username and password from your account, with the exact capitalization shown there.", "picture": "login", "below": "login"},
  {"title": "Choose a channel", "text": "The player loads channels, movies and shows. The first time takes a minute or two.", "picture": "done", "below": "nothing"}
]');
