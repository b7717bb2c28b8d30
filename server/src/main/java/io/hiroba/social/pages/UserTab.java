package io.hiroba.social.pages;

/** What a profile can show below the person. */
public enum UserTab {
    POSTS("Posts", "", "No posts yet"),
    REPLIES("Posts & replies", "/replies", "No posts yet"),
    LIKES("Likes", "/likes", "No likes yet"),
    FOLLOWERS("Followers", "/followers", "No followers yet"),
    FOLLOWING("Following", "/following", "Follows nobody yet");

    private final String label;
    private final String path;
    private final String empty;

    UserTab(String label, String path, String empty) {
        this.label = label;
        this.path = path;
        this.empty = empty;
    }

    public String label() {
        return label;
    }

    /** Below the address of the profile. */
    public String path() {
        return path;
    }

    /** Whether it shows people rather than posts. */
    public boolean isOfPeople() {
        return this == FOLLOWERS || this == FOLLOWING;
    }

    /** What to say where there is nothing. */
    public String empty() {
        return empty;
    }
}
