/**
 * Mail that is queued in the transaction of the act and sent afterwards, by SMTP or into files.
 *
 * <p>Invariants: a mail is sent if and only if its transaction committed; over any number of nodes it is sent once,
 * except that a process which dies between the server's acceptance and its own note of it sends the mail again under
 * the same Message-ID; no more mails are accepted in any minute than the limits say.
 */
@NullMarked
package io.hiroba.platform.mail;

import org.jspecify.annotations.NullMarked;
