-- The sample handles of earlier releases have no owner: customers must not be asked to pay them.
UPDATE settings SET value = value || '{"cashtag": ""}' WHERE key = 'payments' AND value ->> 'cashtag' = '$SauceTVDemo';
UPDATE settings SET value = value || '{"venmoHandle": ""}' WHERE key = 'payments' AND value ->> 'venmoHandle' = '@saucetv-demo';
