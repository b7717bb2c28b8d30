package io.hiroba.platform.events;

/** Maps recipients to the 256 partitions of the event log. */
public final class Partitions {

    public static final int COUNT = 256;

    private Partitions() {}

    /**
     * The partition of a recipient. All events of one recipient are handled in order, by one worker at a time.
     *
     * <p>The bits are mixed first: the low ones of a time-ordered id are a sequence number that is nearly always 0.
     */
    public static short of(long recipient) {
        long z = recipient + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return (short) ((z ^ (z >>> 31)) & (COUNT - 1));
    }
}
