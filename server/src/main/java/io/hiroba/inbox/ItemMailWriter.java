package io.hiroba.inbox;

import io.hiroba.accounts.User;
import io.hiroba.inbox.ItemMailStore.Waiting;
import io.hiroba.inbox.pages.ItemText;
import io.hiroba.platform.mail.NewMail;
import io.hiroba.platform.mail.Site;
import io.hiroba.platform.web.Templates;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Writes mails about items. What others have named their things is text in them and nothing else. */
final class ItemMailWriter {

    /** Named in words; the others are counted. */
    private static final int MAX_LISTED_ITEMS = 50;

    private static final int MAX_SUBJECT_LENGTH = 120;
    private static final Pattern BREAKS = Pattern.compile("[\\p{Cntrl}\\u2028\\u2029]+");

    private final Templates templates;
    private final Site site;

    ItemMailWriter(Templates templates, Site site) {
        this.templates = templates;
        this.site = site;
    }

    /** @param items at least one */
    NewMail write(User to, List<Waiting> items) {
        var named = items.stream().limit(MAX_LISTED_ITEMS).map(this::item).toList();
        var view = new ItemMailView(
                oneLine(to.nickname().value()),
                items.size() == 1
                        ? "Something new in your inbox on " + site.name()
                        : "%d new in your inbox on %s".formatted(items.size(), site.name()),
                named,
                items.size() - named.size(),
                site.link("/inbox"),
                site.link("/inbox/settings"));
        var html = new String(templates.render("inbox/mail", Map.of("mail", view)), StandardCharsets.UTF_8);
        return new NewMail(to.email().value(), subject(view), view.text()).withHtml(html);
    }

    private static String subject(ItemMailView view) {
        if (view.items().size() > 1) {
            return view.headline();
        }
        var only = view.items().getFirst();
        var subject = only.what() + ": " + only.title();
        if (subject.length() <= MAX_SUBJECT_LENGTH) {
            return subject;
        }
        int end = Character.isHighSurrogate(subject.charAt(MAX_SUBJECT_LENGTH - 1))
                ? MAX_SUBJECT_LENGTH - 1
                : MAX_SUBJECT_LENGTH;
        return subject.substring(0, end) + "…";
    }

    private ItemMailView.Item item(Waiting waiting) {
        return new ItemMailView.Item(
                ItemText.label(waiting.action()), oneLine(waiting.title()), oneLine(waiting.path()), address(waiting));
    }

    private String address(Waiting waiting) {
        var url = waiting.url();
        if (url == null) {
            return site.link("/inbox");
        }
        return url.startsWith("/") ? site.link(url) : url;
    }

    private static String oneLine(String text) {
        return BREAKS.matcher(text).replaceAll(" ");
    }
}
