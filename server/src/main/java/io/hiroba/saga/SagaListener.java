package io.hiroba.saga;

/** Is told what becomes of a saga, by one thread at a time. Neither method may wait or throw. */
public interface SagaListener {

    void changed(SagaUpdate news);

    /** There is nothing more to tell: the saga has ended or is gone, or who watches may not see it any more. */
    void ended();

    /** The watch has lasted as long as one may. Who comes again is asked again who they are. */
    default void expired() {
        ended();
    }

    /** Whether nothing more need be told. */
    default boolean isFull() {
        return false;
    }
}
