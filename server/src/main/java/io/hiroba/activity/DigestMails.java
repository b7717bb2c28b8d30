package io.hiroba.activity;

import io.hiroba.accounts.User;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.mail.NewMail;
import io.hiroba.platform.mail.Site;
import io.hiroba.platform.web.Templates;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Composes digest mails. */
final class DigestMails {

    private final Templates templates;
    private final UnsubscribeTokens tokens;
    private final Site site;

    DigestMails(Templates templates, UnsubscribeTokens tokens, Site site) {
        this.templates = templates;
        this.tokens = tokens;
        this.site = site;
    }

    /**
     * Composes a mail about {@code cards}, the newest of {@code count}.
     *
     * @param reader the recipient
     * @param more whether there are even more than {@code count}
     */
    NewMail compose(User to, Reader reader, DigestFrequency frequency, List<Card> cards, int count, boolean more) {
        var unsubscribe = site.link(UnsubscribePages.PATH + tokens.write(to.id()));
        var headline =
                Text.of("activity.digest.headline", "count", count, "more", more ? "yes" : "no", "site", site.name());
        var view = new DigestView(
                to.nickname().value(),
                headline,
                cards.stream().map(this::item).toList(),
                count - cards.size(),
                site.link("/notifications"),
                frequency,
                site.link("/settings/notifications"),
                unsubscribe);
        var html = new String(
                templates.render("activity/digest", Map.of("reader", reader, "digest", view)), StandardCharsets.UTF_8);
        var mail = new NewMail(to.email().value(), reader.text(headline), view.plain(reader)).withHtml(html);
        // Mail programs follow this link by themselves, and only over TLS.
        return site.isSecure() ? mail.withListUnsubscribe(unsubscribe) : mail;
    }

    /** The user whose digests the token was issued for. */
    Optional<UserId> subscriber(String token) {
        return tokens.read(token);
    }

    private DigestView.Item item(Card card) {
        return new DigestView.Item(CardText.of(card).sentence(), site.link(path(card)));
    }

    private static String path(Card card) {
        var post = card.post();
        if (post != null) {
            return "/posts/" + post.id().hex();
        }
        return card.slot().post() != null || card.acts().isEmpty()
                ? "/notifications"
                : "/users/" + card.acts().getFirst().user().id().hex();
    }
}
