package io.hiroba.inbox.gitlab.handling;

import io.hiroba.accounts.Admins;
import io.hiroba.inbox.fanout.News;
import io.hiroba.inbox.people.Members;
import io.hiroba.inbox.resources.NamespaceId;
import io.hiroba.platform.db.Tx;

/** Those who decide about a group or project: its owners and maintainers, and where none are known, Hiroba's admins. */
final class Stewards {

    private final Members members;
    private final Teller teller;
    private final Admins admins = new Admins();

    Stewards(Members members, Teller teller) {
        this.members = members;
        this.teller = teller;
    }

    void tell(Tx tx, NamespaceId namespace, News news) {
        var known = members.owners(tx, namespace);
        if (known.isEmpty()) {
            if (news.moot()) {
                return;
            }
            teller.tellUsers(tx, news, admins.all(tx));
        } else {
            teller.tell(tx, news, known);
        }
    }
}
