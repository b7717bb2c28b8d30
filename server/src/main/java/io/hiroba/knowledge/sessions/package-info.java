/**
 * Chat sessions: their messages, and the archiver that turns idle sessions into sources.
 *
 * <p>A message is a row with its index in the session; an append never reads or writes the rows before it. Messages below
 * {@code last_archived_message_index} are archived, which moves in the transaction that writes the source: no message is
 * archived twice or left out.
 */
@NullMarked
package io.hiroba.knowledge.sessions;

import org.jspecify.annotations.NullMarked;
