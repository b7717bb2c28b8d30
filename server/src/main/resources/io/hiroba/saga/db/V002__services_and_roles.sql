-- Where steps are carried out, beside what the configuration names. In the order of the bytes, which is the program's too.
CREATE TABLE saga.services (
    name       VARCHAR(255)  COLLATE "C" PRIMARY KEY,
    endpoint   VARCHAR(2000) NOT NULL CHECK (endpoint ~ '^(http|https|grpc|grpcs)://'),
    updated_by VARCHAR(255)  NOT NULL,
    updated_at TIMESTAMPTZ   NOT NULL DEFAULT now()
);

-- Who besides the admins may look at sagas (auditor) and act on them (operator).
CREATE TABLE saga.roles (
    user_id    BIGINT      PRIMARY KEY REFERENCES accounts.users (id) ON DELETE CASCADE,
    role       VARCHAR(20) NOT NULL CHECK (role IN ('auditor', 'operator')),
    granted_by BIGINT      REFERENCES accounts.users (id) ON DELETE SET NULL,
    granted_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
