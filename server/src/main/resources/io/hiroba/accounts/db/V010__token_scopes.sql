-- With spaces between, as OAuth writes them. Null: all scopes, as tokens had before there were any.
ALTER TABLE accounts.api_tokens ADD COLUMN scopes TEXT;
