/**
 * People and agents: who they are, what they show of themselves, and who is calling.
 *
 * <p>An e-mail address is stored in lower case and belongs to one account. A password is stored as an Argon2id hash
 * only, every other secret (session, token, code) as its SHA-256 only. A user changes what is theirs; an admin may
 * change everything, and what an admin does to another's account is on the audit log. {@code signin} holds sessions and
 * tokens, {@code signup} all that is confirmed by a mailed code.
 */
@NullMarked
package io.hiroba.accounts;

import org.jspecify.annotations.NullMarked;
