-- Mails whose codes expire and which are to be blanked then.
CREATE INDEX mails_expiring ON platform.mails (expires_at) WHERE expires_at IS NOT NULL AND body <> '';
