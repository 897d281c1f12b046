"""Plans lifted to evaluators: what users create and frameworks call, two lines each.

Every public factory is made of one declaration in `fieldwise.scorers` by the lifts in `_lifts`. These files
group them by what they load, so that the first score of one evaluator does not pay for the others; users
import them from `fieldwise`.
"""
