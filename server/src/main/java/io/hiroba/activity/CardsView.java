package io.hiroba.activity;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Avatar;
import io.hiroba.social.PostId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of notifications.
 *
 * @param sections those that have cards
 * @param newest the time of the newest card that is shown
 * @param isFirstPage whether it shows the newest cards, rather than a later page of one section
 */
public record CardsView(List<Section> sections, Instant newest, boolean isFirstPage) {

    public CardsView {
        sections =
                sections.stream().filter(section -> !section.items().isEmpty()).toList();
    }

    /** The position of the page in the event stream; none for a later page. */
    public @Nullable String streamPosition() {
        return isFirstPage ? "cards=" + CardTime.micros(newest) : null;
    }

    /** The time of the newest card as scripts and forms carry it. */
    public String newestText() {
        return CardTime.text(newest);
    }

    public boolean hasUnread() {
        return sections.stream().anyMatch(section -> !section.isRead());
    }

    /**
     * The unread or the read cards, or a later page of them.
     *
     * @param more the address of the next page, if there may be one
     */
    public record Section(
            boolean isRead, List<Item> items, @Nullable String more) {

        public Section {
            items = List.copyOf(items);
        }

        /** As the address of a page and the page itself name it. */
        public String state() {
            return isRead ? "read" : "unread";
        }
    }

    /**
     * A card in a list.
     *
     * @param target the path that it leads to
     */
    public record Item(
            NotificationKind kind, CardText text, Time time, ReadMark mark, String target, List<MuteOption> mutes) {

        public Item {
            mutes = List.copyOf(mutes);
        }

        static Item of(Card card, UserId user, Reader reader) {
            return new Item(
                    card.slot().kind(),
                    CardText.of(card),
                    Time.of(card, reader),
                    new ReadMark(card.slot().text(), card.term(), CardTime.text(card.updatedAt()), card.read()),
                    target(card, user),
                    MuteOption.of(card));
        }

        private static String target(Card card, UserId user) {
            if (card.slot().kind() == NotificationKind.FOLLOW) {
                return "/users/" + user + "/followers";
            }
            var post = card.post();
            if (post == null) {
                return NotificationPages.PATH;
            }
            var reply = onlyReply(card);
            return "/posts/" + (reply == null ? post.id() : reply);
        }

        private static @Nullable PostId onlyReply(Card card) {
            var count = card.countPosts();
            return card.slot().kind() == NotificationKind.REPLY
                            && count != null
                            && count == 1
                            && !card.acts().isEmpty()
                    ? card.acts().getFirst().post()
                    : null;
        }

        public String icon() {
            return switch (kind) {
                case FOLLOW -> "person";
                case LIKE -> "heart";
                case REPLY -> "reply";
                case MENTION -> "at";
            };
        }

        public List<Avatar> avatars() {
            return text.people().stream()
                    .map(person -> Avatar.of(person.id().hex(), person.nickname(), person.avatar()))
                    .toList();
        }
    }

    /**
     * The time of a card's newest act.
     *
     * @param day the day as its reader calls it, with how long ago it was if that is today
     */
    public record Time(String day, String exact, String iso) {

        /** In the zone that the reader has now: the card's term is a day of the one that they had then. */
        static Time of(Card card, Reader reader) {
            var newest = card.acts().stream().map(Card.Act::at).findFirst().orElse(card.updatedAt());
            var date = newest.atZone(reader.zone()).toLocalDate();
            var day = reader.day(date);
            return new Time(
                    date.equals(reader.today())
                            ? reader.text("activity.today-ago", "day", day, "ago", reader.ago(newest))
                            : day,
                    reader.exact(newest),
                    newest.toString());
        }
    }

    /**
     * The read state of a card, and the button that changes it.
     *
     * @param seen the card's time as it is shown: a card with an act after it stays unread
     */
    public record ReadMark(String slot, String term, String seen, boolean isRead) {

        /** Identifies the card within its page. */
        public String key() {
            return slot.replace(':', '-') + "-" + term;
        }
    }

    /**
     * An entry of a card's menu that mutes something.
     *
     * @param path the post or the person
     * @param part the part of a post, as {@link MutePart} names it; empty for a person
     */
    public record MuteOption(Text label, String path, String part) {

        static List<MuteOption> of(Card card) {
            var options = new ArrayList<MuteOption>();
            var post = card.post();
            if (post != null) {
                options.addAll(ofPost(card.slot().kind(), post));
            }
            if (card.countUsers() == 1) {
                card.acts().stream()
                        .map(Card.Act::user)
                        .limit(1)
                        .forEach(person -> options.add(new MuteOption(
                                Text.of("activity.mute-option.person", "name", person.nickname()),
                                "/users/" + person.id(),
                                "")));
            }
            return options;
        }

        private static List<MuteOption> ofPost(NotificationKind kind, Card.Post post) {
            boolean hasParts = post.mine() && kind != NotificationKind.MENTION;
            var parts = hasParts ? List.of(MutePart.values()) : List.of(MutePart.ALL);
            return parts.stream()
                    .map(part -> new MuteOption(part.muteLabel(), "/posts/" + post.id(), part.text()))
                    .toList();
        }
    }
}
