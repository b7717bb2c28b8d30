package io.hiroba.knowledge;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenScope;
import io.hiroba.accounts.UserId;

/**
 * Somebody who reads passages.
 *
 * @param records whether they may see those of records: a token needs the scope of records too, of all projects
 * @param resources whether they may see those of the inbox, for which a token needs its scope too
 */
public record KnowledgeReader(UserId user, boolean records, boolean resources) {

    public static KnowledgeReader of(Caller caller) {
        return new KnowledgeReader(
                caller.user(), caller.allows(TokenScope.RECORDS_READ), caller.allows(TokenScope.INBOX_READ));
    }
}
