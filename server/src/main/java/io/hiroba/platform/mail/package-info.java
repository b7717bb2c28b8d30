/**
 * Mail that is queued in the transaction of its cause and sent afterwards, by SMTP or into files.
 *
 * <p>Invariants: a mail is sent if and only if its transaction committed; over any number of nodes it is sent once,
 * except that after a crash between the server's acceptance and its record the mail is sent again under the same
 * Message-ID; no more mails are accepted in any minute than the limits say.
 */
@NullMarked
package io.hiroba.platform.mail;

import org.jspecify.annotations.NullMarked;
