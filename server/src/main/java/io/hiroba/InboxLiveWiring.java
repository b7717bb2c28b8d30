package io.hiroba;

import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.fanout.Made;
import io.hiroba.inbox.fanout.News;
import io.hiroba.inbox.letters.LetterWriter;
import io.hiroba.inbox.letters.Letters;
import io.hiroba.inbox.live.InboxSource;
import io.hiroba.inbox.live.LiveItems;
import io.hiroba.platform.Platform;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.live.LiveSource;
import io.hiroba.platform.mail.Site;
import io.hiroba.platform.web.Templates;
import java.util.Collection;
import java.util.List;

/** What learns of items that come and change, wired. */
final class InboxLiveWiring implements ItemListener {

    private final LiveItems live;
    private final Letters letters;

    InboxLiveWiring(Platform platform, Users users) {
        live = new LiveItems(platform.db());
        letters = new Letters(
                platform.db(),
                platform.clock(),
                users,
                platform.mailer(),
                new LetterWriter(new Templates(), Site.of(platform.http())));
    }

    @Override
    public void made(Tx tx, News news, List<Made> items) {
        letters.note(tx, items);
    }

    @Override
    public void changed(Tx tx, Collection<UserId> users) {
        var readers = List.copyOf(users);
        tx.afterCommit(() -> live.changed(readers));
    }

    LiveSource source() {
        return new InboxSource(live);
    }

    List<AutoCloseable> background() {
        return List.of(live, letters.start());
    }
}
