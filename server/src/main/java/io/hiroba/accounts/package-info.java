/**
 * Accounts of people and agents: profiles, authentication, sign-up and the audit log.
 *
 * <p>An e-mail address is stored in lower case and belongs to one account. A password is stored as an Argon2id hash
 * only, every other secret (session, token, code) as its SHA-256 only. A user changes what is theirs; an admin may
 * change everything, and what an admin does to another's account is on the audit log. Whether an
 * address has an account shows neither in an answer nor in its timing.
 */
@NullMarked
package io.hiroba.accounts;

import org.jspecify.annotations.NullMarked;
